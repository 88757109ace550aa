/// @file load_posix.c  Load a whole file into memory.
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "io/mesh_file.h"
#include <errno.h>
#include <stdio.h>

typedef FRC_ARRAY(char) byte_array;

enum { FIRST_BLOCK = 1 << 16, BLOCK = 1 << 24 };

// The size of the file, found by seeking to its end; 0 for pipes.
static uint64_t get_size(FILE* stream) {
    off_t here = ftello(stream);
    if (here < 0 || fseeko(stream, 0, SEEK_END) != 0) return 0;
    off_t size = ftello(stream);
    return fseeko(stream, here, SEEK_SET) == 0 && size > 0 ? (uint64_t)size : 0;
}

fracas_status frc_file_load(fracas_context* context, const char* path, char** out, size_t* size,
                            size_t* capacity) {
    errno = 0;
    FILE* stream = fopen(path, "rb");
    if (!stream)
        return frc_fail(context, FRACAS_ERROR_FILE, "%s: cannot be opened: %s", path,
                        strerror(errno));
    setvbuf(stream, NULL, _IONBF, 0);  // fread gets large blocks
    byte_array bytes = {0};
    fracas_status status = FRACAS_OK;
    uint64_t whole = 0;  // size of the file; 0: not known
    // The first block is small, so that reading a directory or a device fails before memory for its
    // size is allocated.
    for (size_t block = FIRST_BLOCK; status == FRACAS_OK; block = BLOCK) {
        size_t wanted = bytes.count + block;
        if (whole > bytes.count && whole + 1 < wanted) wanted = whole + 1;
        if (!FRC_ARRAY_RESERVE(context, &bytes, wanted)) {
            status = frc_fail_memory(context, wanted);
            break;
        }
        bytes.count += fread(bytes.data + bytes.count, 1, wanted - bytes.count, stream);
        if (ferror(stream))
            status = frc_fail(context, FRACAS_ERROR_FILE, "%s: cannot be read: %s", path,
                              strerror(errno));
        if (status != FRACAS_OK || feof(stream)) break;
        if (whole == 0) {
            whole = get_size(stream);
            // One byte more than the size finds the end of the file without another growth.
            if (whole >= SIZE_MAX || !FRC_ARRAY_RESERVE(context, &bytes, (size_t)whole + 1)) {
                status = frc_fail_memory(context, (size_t)whole);
                break;
            }
        }
        double fraction = whole ? FRC_LOAD_SHARE * (double)bytes.count / (double)whole : 0;
        if (fraction > FRC_LOAD_SHARE) fraction = FRC_LOAD_SHARE;
        if (!frc_progress(context, fraction))
            status = frc_fail(context, FRACAS_ERROR_CANCELLED, "%s: reading was cancelled", path);
    }
    fclose(stream);
    if (status != FRACAS_OK) {
        FRC_ARRAY_RELEASE(context, &bytes);
        return status;
    }
    *out = bytes.data;
    *size = bytes.count;
    *capacity = bytes.capacity;
    return FRACAS_OK;
}
