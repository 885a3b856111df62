#ifndef TAPKIT_CNETTLE_SHIM_H
#define TAPKIT_CNETTLE_SHIM_H

#include <nettle/aes.h>
#include <nettle/ctr.h>
#include <nettle/hmac.h>
#include <nettle/pbkdf2.h>
#include <nettle/ripemd160.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

/* The cipher argument of nettle's CTR_CRYPT is a function pointer cast, which Swift cannot express. */
static inline void tapkit_aes128_ctr_crypt(
    const struct aes128_ctx *ctx, uint8_t *counter, size_t length, uint8_t *dst, const uint8_t *src) {
    nettle_ctr_crypt(ctx, (nettle_cipher_func *)nettle_aes128_encrypt, AES_BLOCK_SIZE, counter, length, dst, src);
}

static inline void tapkit_aes256_ctr_crypt(
    const struct aes256_ctx *ctx, uint8_t *counter, size_t length, uint8_t *dst, const uint8_t *src) {
    nettle_ctr_crypt(ctx, (nettle_cipher_func *)nettle_aes256_encrypt, AES_BLOCK_SIZE, counter, length, dst, src);
}

#endif
