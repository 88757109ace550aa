// Reads query sets. A rational is converted to a double by integer arithmetic, which detects values
// that no double represents instead of rounding them.
#include "query_file.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rationals ---- */

enum { LIMBS = 128 };
typedef struct natural {
    uint32_t limb[LIMBS];
    int count;
} natural;

// a = 10 a + digit; false when the number of limbs exceeds LIMBS.
static bool append_digit(natural* a, uint32_t digit) {
    uint64_t carry = digit;
    for (int i = 0; i < a->count; i++) {
        carry += (uint64_t)a->limb[i] * 10;
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry == 0) return true;
    if (a->count == LIMBS) return false;
    a->limb[a->count++] = (uint32_t)carry;
    return true;
}

static bool parse(const char* text, natural* out, int* sign) {
    *out = (natural){{0}, 0};
    *sign = 1;
    if (*text == '-' || *text == '+') *sign = *text++ == '-' ? -1 : 1;
    if (*text == 0) return false;
    for (; *text; text++)
        if (*text < '0' || *text > '9' || !append_digit(out, (uint32_t)(*text - '0'))) return false;
    return true;
}

static int bit(const natural* a, int i) {
    return i / 32 < a->count ? (int)(a->limb[i / 32] >> (i % 32) & 1) : 0;
}

static int top_bit(const natural* a) {
    int i = a->count * 32 - 1;
    while (i >= 0 && !bit(a, i)) i--;
    return i;
}

static int low_bit(const natural* a) {
    int i = 0;
    while (!bit(a, i)) i++;
    return i;
}

bool query_rational(const char* numerator, const char* denominator, double* out) {
    natural n, d;
    int sign, unused;
    if (!parse(numerator, &n, &sign) || !parse(denominator, &d, &unused) || unused < 0)
        return false;
    const int top_n = top_bit(&n), top_d = top_bit(&d);
    if (top_d < 0) return false;
    *out = 0;
    if (top_n < 0) return true;
    // The quotient is a double if the denominator is a power of two (fractions are reduced) and the
    // numerator has at most 53 significant bits.
    const int low = low_bit(&n);
    if (low_bit(&d) != top_d || top_n - low > 52) return false;
    uint64_t mantissa = 0;
    for (int i = top_n; i >= low; i--) mantissa = mantissa << 1 | (uint64_t)bit(&n, i);
    const int exponent = low - top_d;
    if (exponent < -1074 || top_n - top_d > 1023) return false;
    *out = sign * ldexp((double)mantissa, exponent);
    return true;
}

/* ---- files ---- */

static bool fail(char* message, size_t size, const char* where, long line, const char* what) {
    if (line)
        snprintf(message, size, "%s:%ld: %s", where, line, what);
    else
        snprintf(message, size, "%s: %s", where, what);
    return false;
}

// Splits a line at its commas; returns the number of fields.
static int split_fields(char* line, char* field[8]) {
    int n = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char* p = line; p && n < 8; n++) {
        field[n] = p;
        p = strchr(p, ',');
        if (p) *p++ = 0;
    }
    return n;
}

static bool grow(query_list* list) {
    if (list->count < list->capacity) return true;
    const size_t capacity = list->capacity ? 2 * list->capacity : 256;
    frc_point* const points = realloc(list->points, capacity * 4 * sizeof *points);
    if (points) list->points = points;
    unsigned char* const truth = realloc(list->truth, capacity);
    if (truth) list->truth = truth;
    if (!points || !truth) return false;
    list->capacity = capacity;
    return true;
}

// Parses line `row` (0 to 7) of a query. Returns an error message or NULL.
static const char* read_row(char* line, int row, frc_point points[4], int* truth) {
    char* field[8];
    double xyz[3];
    if (split_fields(line, field) != 7) return "seven fields expected: xn,xd,yn,yd,zn,zd,truth";
    for (int k = 0; k < 3; k++)
        if (!query_rational(field[2 * k], field[2 * k + 1], &xyz[k]))
            return "a coordinate is malformed or not representable as a double";
    const bool yes = strcmp(field[6], "1") == 0;
    if (!yes && strcmp(field[6], "0") != 0) return "the truth must be 0 or 1";
    if (row && *truth != yes) return "the eight lines of a query must agree on its truth";
    *truth = yes;
    frc_point* const p = &points[row % 4];
    p->x[row / 4] = xyz[0];
    p->y[row / 4] = xyz[1];
    p->z[row / 4] = xyz[2];
    return NULL;
}

bool query_file_read(const char* path, query_list* list, char* message, size_t size) {
    FILE* const file = fopen(path, "r");
    if (!file) return fail(message, size, path, 0, "cannot be opened");
    static const char* const TOO_LONG = "the line is too long";
    char line[8192];
    frc_point points[4];
    long number = 0;
    int row = 0, truth = 0;
    const char* wrong = NULL;
    while (!wrong && fgets(line, sizeof line, file)) {
        number++;
        if (strlen(line) + 1 == sizeof line)
            wrong = TOO_LONG;
        else if (row == 0 && !grow(list))
            wrong = "out of memory";
        else {
            if (row == 0) memset(points, 0, sizeof points);
            wrong = read_row(line, row, points, &truth);
        }
        if (wrong || ++row < 8) continue;
        row = 0;
        memcpy(&list->points[4 * list->count], points, sizeof points);
        list->truth[list->count++] = (unsigned char)truth;
    }
    if (!wrong && ferror(file)) wrong = "cannot be read";
    if (!wrong && row) wrong = "ends in the middle of a query";
    fclose(file);
    return wrong ? fail(message, size, path, number, wrong) : true;
}
