#ifndef TAPKIT_CFUZZER_SHIM_H
#define TAPKIT_CFUZZER_SHIM_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer has no header for its driver (LLVM, "libFuzzer – a library for coverage-guided fuzz testing", "Using libFuzzer as a library"). */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

/* Applies one of libFuzzer's mutations in place ("libFuzzer", "Structure-aware fuzzing"). Returns the new number of bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

#endif
