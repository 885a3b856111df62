#ifndef TAPKIT_CFUZZER_SHIM_H
#define TAPKIT_CFUZZER_SHIM_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer has no header for its driver (LLVM, "libFuzzer – a library for coverage-guided fuzz testing", "Using libFuzzer as a library"). */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

/* One of libFuzzer's changes, in place ("libFuzzer", "Structure-aware fuzzing"). Returns how many bytes there are then. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

#endif
