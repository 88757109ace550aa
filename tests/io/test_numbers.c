// Decimal numbers compared with strtod, which glibc rounds correctly; the tests run in the "C"
// locale.
#include "cmocka_all.h"
#include "io/decimal.h"
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next_random(uint64_t* seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void check(const char* text) {
    double expected = strtod(text, NULL), found = 0;
    const char* end = text + strlen(text);
    const char* after = frc_decimal_read(text, end, &found);
    if (after != end) fail_msg("'%s' is not read to its end", text);
    if (memcmp(&expected, &found, sizeof found) != 0)
        fail_msg("'%s': expected %a, found %a", text, expected, found);
}

static void random_digits(char* out, int count, uint64_t* seed) {
    for (int i = 0; i < count; i++) out[i] = (char)('0' + next_random(seed) % 10);
    out[count] = 0;
}

// Any number of digits, a decimal point anywhere, exponents beyond both limits.
static void random_strings(void** state) {
    (void)state;
    uint64_t seed = 0x5EED;
    for (int round = 0; round < 1000000; round++) {
        char digits[64], text[128];
        int count = 1 + (int)(next_random(&seed) % (round % 8 == 0 ? 40 : 20));
        random_digits(digits, count, &seed);
        int point = (int)(next_random(&seed) % (unsigned)(count + 1));
        int range = round % 2 ? 700 : 60;
        int exponent = (int)(next_random(&seed) % (unsigned)range) - range / 2;
        snprintf(text, sizeof text, "%s%.*s%s%s%c%d", round % 3 ? "" : "-", point, digits,
                 point < count || round % 5 ? "." : "", digits + point, round % 7 ? 'e' : 'E',
                 exponent);
        check(text);
    }
}

// Doubles of every size, written with enough digits, with too few, and without an exponent.
static void random_doubles(void** state) {
    (void)state;
    uint64_t seed = 0xD0B1E;
    for (int round = 0; round < 300000; round++) {
        uint64_t bits = next_random(&seed);
        if (round % 4 == 0) bits &= 0x800FFFFFFFFFFFFFu;  // subnormals
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        char text[512];
        snprintf(text, sizeof text, "%.17g", value);
        check(text);
        double found = 0;
        frc_decimal_read(text, text + strlen(text), &found);
        assert_memory_equal(&found, &value, sizeof value);
        snprintf(text, sizeof text, "%.*e", (int)(next_random(&seed) % 30), value);
        check(text);
        snprintf(text, sizeof text, "%.20f", ldexp(value, -ilogb(value)));
        check(text);
    }
}

// Halfway between two neighbours, and one digit above and below: all digits matter.
static void halfway(void** state) {
    (void)state;
    uint64_t seed = 0x4A1F;
    for (int round = 0; round < 3000; round++) {
        uint64_t bits = next_random(&seed) & 0x7FFFFFFFFFFFFFFFu;
        if (round % 2) bits &= 0x000FFFFFFFFFFFFFu;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value) || fabs(value) > 1e300) continue;
        // Weak where long double is no wider than double: then the midpoint is a double itself.
        static char text[2048], sum[2048];
        long double middle = ((long double)value + (long double)nextafter(value, INFINITY)) / 2;
        snprintf(text, sizeof text, "%.1100Lf", middle);
        check(text);
        size_t length = strlen(text);
        memcpy(sum, text, length);
        memcpy(sum + length, "1", 2);
        check(sum);
        memcpy(sum, text, length + 1);
        memmove(sum + length, "0000000000000000000000000000000000000000000001", 47);
        check(sum);
    }
}

static void corner_cases(void** state) {
    (void)state;
    static const char* const texts[] = {
        "0",
        "-0",
        "+0",
        "0.0",
        ".5",
        "5.",
        "-.5e1",
        "00000000000000000000000001",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740992",
        "9007199254740991e22",
        "1e-22",
        "1e-23",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1.797693134862315807e308",
        "17976931348623159077e289",
        "2e308",
        "1e999",
        "-1e999",
        "1e99999999",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "2.2250738585072012e-308",
        "1e-400",
        "0e999999999999999999999",
        "1e-999999999999999999999",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000123",
        "1000000000000000000000000000000000000000000000000000000000000000000000e-60",
        "6929495644600919.5",
        "3.518437208883201171875e13",
        "62.5364939768271845828",
        "8.10109172351e-10",
        "1.50000000000000011102230246251565",
        "-13579.2468e-27",
        "1e27",
        "1e28",
        "1152921504606846976e27",
        "18446744073709551615e-27",
        "9999999999999999999e27",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) check(texts[i]);
}

// Thousands of digits and of zeros.
static void long_strings(void** state) {
    (void)state;
    enum { LENGTH = 5000 };
    static char text[2 * LENGTH];
    memset(text, '7', LENGTH);
    text[1] = '.';
    snprintf(text + LENGTH, LENGTH, "e-10");
    check(text);
    memset(text, '0', LENGTH);
    snprintf(text + LENGTH, LENGTH, "123.75");
    check(text);
    text[1] = '.';
    snprintf(text + LENGTH, LENGTH, "12375e%d", LENGTH);
    check(text);
    // Just above halfway, because of the last of 5000 digits.
    memset(text, '0', LENGTH);
    memcpy(text, "9007199254740993.", 17);
    snprintf(text + LENGTH, LENGTH, "1");
    check(text);
    memset(text, '9', LENGTH);
    memcpy(text, "9007199254740992.", 17);
    text[LENGTH] = 0;
    check(text);
}

static void where_a_number_ends(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int length;  // -1: not a number
    } cases[] = {
        {"1.5x",  3 },
        {"1e",    1 },
        {"1e+",   1 },
        {"1.2.3", 3 },
        {"2,5",   1 },
        {"",      -1},
        {".",     -1},
        {"-",     -1},
        {"+.e1",  -1},
        {"nan",   -1},
        {"inf",   -1},
        {"e5",    -1},
        {" 1",    -1},
        {"0x10",  1 },
        {"1-e2",  1 }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char* text = cases[i].text;
        double value;
        const char* after = frc_decimal_read(text, text + strlen(text), &value);
        if (after != (cases[i].length < 0 ? NULL : text + cases[i].length))
            fail_msg("'%s' ends elsewhere", text);
    }
}

// In a German locale the decimal separator in files is still a point.
static void locale_does_not_matter(void** state) {
    (void)state;
    const char* german = setlocale(LC_NUMERIC, "de_DE.UTF-8");
    double value = 0;
    const char* text = "1.5000000000000000000000001";
    assert_ptr_equal(frc_decimal_read(text, text + 27, &value), text + 27);
    assert_true(value == 1.5);
    if (german) setlocale(LC_NUMERIC, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_strings),
        cmocka_unit_test(random_doubles),
        cmocka_unit_test(halfway),
        cmocka_unit_test(corner_cases),
        cmocka_unit_test(long_strings),
        cmocka_unit_test(where_a_number_ends),
        cmocka_unit_test(locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
