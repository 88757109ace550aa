/// @file stage_motion.c  Device code: positions from the caller's memory, the next step, poses.
#include "cuda/lists.h"
#include "cuda/motion.h"
#include "geom/pose_apply.h"

FRC_DEVICE static double load(const frc_motion_view* view, uint32_t number, int axis) {
    const unsigned char* at =
        view->data + number * view->stride + (uint64_t)axis * view->axis_stride;
    return view->is_float ? (double)*(const float*)(const void*)at
                          : *(const double*)(const void*)at;
}

// The view that moves a point; NULL: none does.
FRC_DEVICE static const frc_motion_view* view_of(const frc_motion* m, uint64_t id) {
    const uint32_t body = m->names[id].tag[0];
    return body < m->view_count && m->views[body].data ? &m->views[body] : 0;
}

FRC_MOTION(read_positions) {
    FRC_EACH_32(first, m->point_count, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t id = first + FRC_LANE(i);
            const frc_motion_view* view = id < m->point_count ? view_of(m, id) : 0;
            if (!view) continue;
            const uint32_t number = m->names[id].tag[1];
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                // -0 becomes 0: equal positions are then equal bits.
                const double x = load(view, number, k) + 0.0;
                m->staged[id][k] = x;
                sum += x - x;  // NaN, unless x is finite
            }
            if (sum != 0) frc_least_one(m->bad, FRC_MOTION_KEY(m->names[id].tag[0], number));
        }
    }
}

FRC_MOTION(write_positions) {
    FRC_EACH_32(first, m->point_count, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t id = first + FRC_LANE(i);
            if (id >= m->point_count || !view_of(m, id)) continue;
            for (int k = 0; k < 3; k++) m->points[id].x[k][1] = m->staged[id][k];
        }
    }
}

FRC_MOTION(advance) {
    FRC_EACH_32(first, m->point_count, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t id = first + FRC_LANE(i);
            if (id >= m->point_count) continue;
            for (int k = 0; k < 3; k++) m->points[id].x[k][0] = m->points[id].x[k][1];
        }
    }
}

FRC_MOTION(pose) {
    FRC_EACH_32(first, m->point_count, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t id = first + FRC_LANE(i);
            if (id >= m->point_count) continue;
            const uint32_t body = m->names[id].tag[0];
            const uint32_t number = body < m->body_count ? m->pose_of[body] : FRACAS_NONE;
            if (number == FRACAS_NONE) continue;
            const double rest[3] = {m->rest[id][0], m->rest[id][1], m->rest[id][2]};
            for (int e = 0; e < 2; e++) {
                double p[3];
                frc_pose_apply(&m->poses[number].at[e], rest, p);
                // As frc_set_point: -0 becomes 0.
                for (int k = 0; k < 3; k++) m->points[id].x[k][e] = p[k] + 0.0;
            }
        }
    }
}

FRC_MOTION(receive) {
    FRC_EACH_32(first, m->point_count, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t id = first + FRC_LANE(i);
            if (id >= m->point_count) continue;
            const uint32_t body = m->names[id].tag[0];
            const uint32_t copy = body < m->body_count ? m->copy_of[body] : FRC_RECEIVE_NOTHING;
            if (copy == FRC_RECEIVE_NOTHING) continue;
            for (int k = 0; k < 3; k++) {
                if (copy == FRC_RECEIVE_STEP) m->points[id].x[k][0] = m->points[id].x[k][1];
                m->points[id].x[k][1] = m->last[id][k];
            }
        }
    }
}
