#ifndef BYTE_SEARCH_H
#define BYTE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Looks for many sequences of bytes in one pass over a large text, such as the memory of a process.
///
/// @param patterns one after the other, each of at least two bytes.
/// @param lengths the length of each.
/// @param count how many there are, fewer than 65 535.
/// @param found one for each pattern, set to whether it stands anywhere in the text.
void byte_search(
    const uint8_t *text, size_t length, const uint8_t *patterns, const size_t *lengths, size_t count, bool *found);

#endif
