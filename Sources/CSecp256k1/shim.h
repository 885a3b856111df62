#ifndef TAPKIT_CSECP256K1_SHIM_H
#define TAPKIT_CSECP256K1_SHIM_H

#include <secp256k1.h>
#include <secp256k1_ecdh.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_recovery.h>
#include <secp256k1_schnorrsig.h>
#include <string.h>

/* Overwrites 16 KB of the stack below the caller's frame, where functions that have returned kept their locals. The
   library clears its copies of secret scalars with stores that an optimizing compiler may drop: Debian's build of
   version 0.2.0 drops them. */
static __attribute__((noinline)) void wipe_stack_below(void) {
    unsigned char frames[16384];
    memset(frames, 0, sizeof frames);
    __asm__ volatile("" : : "r"(frames) : "memory");
}

#endif
