/* In programs of one file: what libmicrohttpd would take from GnuTLS for HTTPS, which `sortie serve` does not speak. Of
 * these only the first two are ever called, when the program starts and ends. A newer libmicrohttpd that wants more is
 * found by the linker. */
#include <stddef.h>
#include <stdlib.h>

int gnutls_global_init(void);
void gnutls_global_deinit(void);
extern void *(*gnutls_malloc)(size_t bytes);

int gnutls_global_init(void) {
    return 0;
}

void gnutls_global_deinit(void) {
}

void *(*gnutls_malloc)(size_t bytes) = malloc;

#define NEVER(name)                                                                                                    \
    void gnutls_##name(void);                                                                                          \
    void gnutls_##name(void) {                                                                                         \
        abort();                                                                                                       \
    }

NEVER(alpn_set_protocols)
NEVER(bye)
NEVER(certificate_allocate_credentials)
NEVER(certificate_free_credentials)
NEVER(certificate_server_set_request)
NEVER(certificate_set_dh_params)
NEVER(certificate_set_retrieve_function2)
NEVER(certificate_set_retrieve_function3)
NEVER(certificate_set_x509_key_mem)
NEVER(certificate_set_x509_key_mem2)
NEVER(certificate_set_x509_trust_mem)
NEVER(cipher_get)
NEVER(credentials_set)
NEVER(deinit)
NEVER(dh_params_deinit)
NEVER(dh_params_import_pkcs3)
NEVER(dh_params_init)
NEVER(handshake)
NEVER(init)
NEVER(priority_deinit)
NEVER(priority_init)
NEVER(priority_set)
NEVER(protocol_get_version)
NEVER(psk_allocate_server_credentials)
NEVER(psk_free_server_credentials)
NEVER(psk_set_server_credentials_function)
NEVER(record_check_pending)
NEVER(record_get_direction)
NEVER(record_recv)
NEVER(record_send)
NEVER(session_get_ptr)
NEVER(session_set_ptr)
NEVER(strerror)
NEVER(transport_set_int2)
