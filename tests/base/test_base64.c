/* SPDX-License-Identifier: MIT */
/* Bytes as text: the vectors of RFC 4648, section 10, every byte and every length there and back, and what is no
 * base64. */
#include <string.h>

#include "support/check.h"

#include "base/base64.h"

static void the_vectors_of_the_standard_hold(void **state)
{
    (void)state;
    static const char *const vector[][2] = {{"", ""},
                                            {"f", "Zg=="},
                                            {"fo", "Zm8="},
                                            {"foo", "Zm9v"},
                                            {"foob", "Zm9vYg=="},
                                            {"fooba", "Zm9vYmE="},
                                            {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
        const char *plain = vector[i][0], *coded = vector[i][1];
        char text[16] = "unset", back[16];
        size_t size = 99;
        ts_base64_encode(plain, strlen(plain), text);
        assert_string_equal(text, coded);
        assert_int_equal(ts_base64_length(strlen(plain)), strlen(coded));
        assert_true(ts_base64_decode(coded, strlen(coded), back, &size));
        assert_int_equal(size, strlen(plain));
        assert_memory_equal(back, plain, size);
    }
    /* all 64 characters in order: the bytes are those that Python's base64 module gives */
    static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const unsigned char wanted[48] = {0x00, 0x10, 0x83, 0x10, 0x51, 0x87, 0x20, 0x92, 0x8b, 0x30, 0xd3, 0x8f,
                                             0x41, 0x14, 0x93, 0x51, 0x55, 0x97, 0x61, 0x96, 0x9b, 0x71, 0xd7, 0x9f,
                                             0x82, 0x18, 0xa3, 0x92, 0x59, 0xa7, 0xa2, 0x9a, 0xab, 0xb2, 0xdb, 0xaf,
                                             0xc3, 0x1c, 0xb3, 0xd3, 0x5d, 0xb7, 0xe3, 0x9e, 0xbb, 0xf3, 0xdf, 0xbf};
    unsigned char bytes[48];
    size_t size;
    assert_true(ts_base64_decode(all, 64, bytes, &size));
    assert_int_equal(size, 48);
    assert_memory_equal(bytes, wanted, 48);
}

static void every_byte_and_length_comes_back(void **state)
{
    (void)state;
    unsigned char bytes[259], back[300];
    char text[400];
    for (size_t length = 0; length <= sizeof bytes; length++) {
        size_t size = 0;
        for (size_t i = 0; i < length; i++)
            bytes[i] = (unsigned char)(i * 7 + length);
        ts_base64_encode(bytes, length, text);
        assert_int_equal(strlen(text), ts_base64_length(length));
        memset(back, 0xee, sizeof back);
        assert_true(ts_base64_decode(text, strlen(text), back, &size));
        assert_int_equal(size, length);
        assert_memory_equal(back, bytes, length);
        assert_int_equal(back[strlen(text) / 4 * 3], 0xee); /* nothing beyond the room that was promised to do */
    }
    assert_int_equal(ts_base64_length(SIZE_MAX), 0);
}

static void what_is_none_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "Z",    "Zg",        "Zg=",       "Zg===",    "=",    "====", "Z===",    "Zg==Zg==", "Zm8=Zm9v",
        "Zm=v", "Zm9v\nZm9", " Zm9",      "Zm9 ",     "Zm9-", "Zm9_", "Zm9\x80", "Zh==", /* a bit would be lost */
        "Zm9=", "Zm9vYmF=",  "Zm9vYmFy=", "Zm9vYg=A", "=m9v", "Z=9v"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        unsigned char bytes[32];
        size_t size;
        if (ts_base64_decode(bad[i], strlen(bad[i]), bytes, &size))
            fail_msg("\"%s\" was taken for base64", bad[i]);
    }
    unsigned char bytes[4];
    size_t size;
    assert_false(ts_base64_decode("Zm\0v", 4, bytes, &size));
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(the_vectors_of_the_standard_hold),
        cmocka_unit_test(every_byte_and_length_comes_back),
        cmocka_unit_test(what_is_none_is_refused),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
