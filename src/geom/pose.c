/// @file pose.c  The identity.
#include "fracas/pose.h"

fracas_pose fracas_pose_make_identity(void) {
    return (fracas_pose){
        {1,  0, 0, 0, 1, 0, 0, 0, 1},
        {0, 0, 0}
    };
}
