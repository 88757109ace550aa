/// @file ode_medial.h  Contacts in time of Fracas as joints of ODE: all that an adapter needs.
#pragma once
#include "fracas/medial.h"
#include <math.h>
#include <ode/ode.h>

/// The pose of the frame of a shape whose centre is the origin of a body: R (x - centre) +
/// position.
static inline fracas_pose ode_medial_pose(const dReal rotation[12], const double position[3],
                                          const double centre[3]) {
    fracas_pose pose;
    for (int i = 0; i < 3; i++) {
        pose.translation[i] = position[i];
        for (int j = 0; j < 3; j++) {
            pose.rotation[3 * i + j] = rotation[4 * i + j];
            pose.translation[i] -= rotation[4 * i + j] * centre[j];
        }
    }
    return pose;
}

/// Where a body is, and where its velocities and gravity would take it in a step.
static inline void ode_medial_motion(dWorldID world, dBodyID body, double step,
                                     const double centre[3], fracas_pose* start, fracas_pose* end) {
    const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body),
                *w = dBodyGetAngularVel(body), *q = dBodyGetQuaternion(body);
    dVector3 gravity;
    dWorldGetGravity(world, gravity);
    double now[3], then[3];
    for (int k = 0; k < 3; k++) {
        now[k] = x[k];
        then[k] = x[k] + step * (v[k] + step * gravity[k]);
    }
    // q + step / 2 * (0, w) q, as ODE integrates.
    const double h = step / 2;
    dQuaternion turned = {q[0] - h * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]),
                          q[1] + h * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]),
                          q[2] + h * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]),
                          q[3] + h * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1])};
    dMatrix3 rotation;
    dNormalize4(turned);
    dQtoR(turned, rotation);
    *start = ode_medial_pose(dBodyGetRotation(body), now, centre);
    *end = ode_medial_pose(rotation, then, centre);
}

static inline void ode_medial_velocity(dBodyID body, const double at[3], double out[3]) {
    dVector3 v = {0, 0, 0};
    if (body) dBodyGetPointVel(body, at[0], at[1], at[2], v);
    for (int k = 0; k < 3; k++) out[k] = v[k];
}

/// A contact joint between two bodies; NULL is the world. Bodies that touch only later in the step
/// may approach each other as far as that, so they are not stopped too early.
static inline dJointID ode_medial_add_contact(dWorldID world, dJointGroupID group, dBodyID a,
                                              dBodyID b, const fracas_medial_contact* found,
                                              double friction) {
    double first[3], second[3], closing = 0;
    ode_medial_velocity(a, found->position, first);
    ode_medial_velocity(b, found->position, second);
    for (int k = 0; k < 3; k++) closing -= (first[k] - second[k]) * found->normal[k];
    dContact contact = {
        .surface = {.mode = dContactApprox1 | dContactMotionN,
                    .mu = found->time > 0 ? 0 : friction,
                    .motionN = closing > 0 ? -closing * found->time : 0}
    };
    for (int k = 0; k < 3; k++) {
        contact.geom.pos[k] = found->position[k];
        contact.geom.normal[k] = found->normal[k];
    }
    contact.geom.depth = found->gap < 0 ? -found->gap : 0;
    dJointID joint = dJointCreateContact(world, group, &contact);
    dJointAttach(joint, a, b);
    return joint;
}
