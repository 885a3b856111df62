#include "byte_search.h"

#include <stdlib.h>
#include <string.h>

enum { END = 0xFFFF };

static unsigned first_two(const uint8_t *bytes) { return bytes[0] | bytes[1] << 8; }

void byte_search(
    const uint8_t *text, size_t length, const uint8_t *patterns, const size_t *lengths, size_t count, bool *found) {
    // The patterns that begin with the same two bytes, in a list for each pair.
    uint16_t heads[0x10000], *next = calloc(count, sizeof *next);
    const uint8_t **starts = calloc(count, sizeof *starts);
    memset(heads, 0xFF, sizeof heads);
    for (size_t index = 0; index < count; index++) {
        starts[index] = patterns;
        next[index] = heads[first_two(patterns)];
        heads[first_two(patterns)] = (uint16_t)index;
        patterns += lengths[index];
        found[index] = false;
    }
    for (const uint8_t *place = text, *end = text + length; place + 1 < end; place++) {
        for (uint16_t index = heads[first_two(place)]; index != END; index = next[index]) {
            if (!found[index] && lengths[index] <= (size_t)(end - place)
                && memcmp(place, starts[index], lengths[index]) == 0) {
                found[index] = true;
            }
        }
    }
    free(starts);
    free(next);
}
