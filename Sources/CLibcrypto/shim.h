#pragma once
// Only what OpenSSL 3 does not deprecate.
#define OPENSSL_API_COMPAT 30000
#define OPENSSL_NO_DEPRECATED
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

/// Keys `context` for HMAC over SHA-256; 1 when that worked. The parameter names are macros.
static inline int libcrypto_hmac_sha256_init(EVP_MAC_CTX *context, const unsigned char *key, size_t length) {
  char digest[] = "SHA256";
  OSSL_PARAM parameters[] = {
    OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
    OSSL_PARAM_construct_end(),
  };
  return EVP_MAC_init(context, key, length, parameters);
}

/// A new RSA key, or null. `EVP_PKEY_Q_keygen` is variadic.
static inline EVP_PKEY *libcrypto_rsa_generate(size_t bits) {
  return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits);
}

/// The bytes that a memory BIO holds. `BIO_get_mem_data` is a macro.
static inline long libcrypto_bio_bytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

/// Gets, or sets, the tag of an AEAD cipher; 1 when that worked. The command names are macros of macros.
static inline int libcrypto_aead_get_tag(EVP_CIPHER_CTX *context, int length, unsigned char *tag) {
  return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, length, tag);
}
static inline int libcrypto_aead_set_tag(EVP_CIPHER_CTX *context, int length, unsigned char *tag) {
  return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, length, tag);
}
