/* CRC-64 as xz has it: the digest of certificates. */
#ifndef SORTIE_BASE_CRC64_H
#define SORTIE_BASE_CRC64_H

#include <stddef.h>
#include <stdint.h>

/* The digest of bytes that follow those of `digest`; 0 to begin with. */
static inline uint64_t crc64_add(uint64_t digest, const uint8_t *bytes, size_t length) {
    static const uint64_t of_four_bits[16] = {
        0x0000000000000000, 0x7D9BA13851336649, 0xFB374270A266CC92, 0x86ACE348F355AADB,
        0x64B62BCAEBC387A1, 0x192D8AF2BAF0E1E8, 0x9F8169BA49A54B33, 0xE21AC88218962D7A,
        0xC96C5795D7870F42, 0xB4F7F6AD86B4690B, 0x325B15E575E1C3D0, 0x4FC0B4DD24D2A599,
        0xADDA7C5F3C4488E3, 0xD041DD676D77EEAA, 0x56ED3E2F9E224471, 0x2B769F17CF112238,
    };
    digest = ~digest;
    for (size_t i = 0; i < length; i++) {
        digest ^= bytes[i];
        digest = digest >> 4 ^ of_four_bits[digest & 15];
        digest = digest >> 4 ^ of_four_bits[digest & 15];
    }
    return ~digest;
}

#endif
