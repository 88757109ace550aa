/// @file pose.c  The identity, and whether a pose is one.
#include "geom/pose.h"
#include "geom/vec3.h"
#include <inttypes.h>
#include <math.h>

fracas_pose fracas_pose_make_identity(void) {
    return (fracas_pose){
        {1,  0, 0, 0, 1, 0, 0, 0, 1},
        {0, 0, 0}
    };
}

// Up to 1e-6 in the length of a row, and as much in a right angle.
static bool is_rotation(const double m[9]) {
    double cross[3];
    for (int i = 0; i < 3; i++) {
        if (!(fabs(frc_vec3_dot(m + 3 * i, m + 3 * i) - 1) <= 2e-6)) return false;
        for (int j = 0; j < i; j++)
            if (!(fabs(frc_vec3_dot(m + 3 * i, m + 3 * j)) <= 2e-6)) return false;
    }
    frc_vec3_cross(m, m + 3, cross);
    return frc_vec3_dot(cross, m + 6) > 0;
}

fracas_status frc_pose_check(fracas_context* context, const fracas_pose* pose, const char* what,
                             uint32_t index) {
    const double* t = pose->translation;
    if (!(fabs(t[0]) <= 1e36 && fabs(t[1]) <= 1e36 && fabs(t[2]) <= 1e36))
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "the translation (%g, %g, %g) of %s %" PRIu32
                        " must be finite, at most 1e36",
                        t[0], t[1], t[2], what, index);
    if (!is_rotation(pose->rotation))
        return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                        "the matrix of the pose of %s %" PRIu32
                        " is not a rotation: its rows must be unit vectors, at right angles, and "
                        "its determinant 1",
                        what, index);
    return FRACAS_OK;
}
