#ifndef TAPKIT_CSECP256K1_SHIM_H
#define TAPKIT_CSECP256K1_SHIM_H

#include <secp256k1.h>
#include <secp256k1_ecdh.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_recovery.h>
#include <secp256k1_schnorrsig.h>
#include <string.h>

/* Overwrites the stack below the caller's frame, where a function that has just returned kept its locals. The library's
   own clearing of secret scalars is left out by optimizing compilers before version 0.6. */
static __attribute__((noinline)) void wipe_stack_below(void) {
    unsigned char frames[16384];
    memset(frames, 0, sizeof frames);
    __asm__ volatile("" : : "r"(frames) : "memory");
}

#endif
