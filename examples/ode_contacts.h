/// @file ode_contacts.h  Contacts of Fracas as joints of ODE: all that an adapter needs.
#pragma once
#include "fracas/fragment_query.h"
#include <ode/ode.h>

/// A contact joint between two bodies; NULL is the world.
static inline dJointID ode_add_contact(dWorldID world, dJointGroupID group, dBodyID a, dBodyID b,
                                       const fracas_fragment_contact* found, double friction) {
    dContact contact = {
        .surface = {.mode = dContactApprox1, .mu = friction}
    };
    // Of both ODE says the same: the first body leaves the second along the normal.
    for (int k = 0; k < 3; k++) {
        contact.geom.pos[k] = found->position[k];
        contact.geom.normal[k] = found->normal[k];
    }
    contact.geom.depth = found->depth > 0 ? found->depth : 0;
    dJointID joint = dJointCreateContact(world, group, &contact);
    dJointAttach(joint, a, b);
    return joint;
}

/// The pose of a fragment whose body has its origin at `centre`, a point of the fragment's frame.
static inline fracas_pose ode_get_pose(dBodyID body, const double centre[3]) {
    const dReal *r = dBodyGetRotation(body), *at = dBodyGetPosition(body);
    fracas_pose pose;
    for (int i = 0; i < 3; i++) {
        pose.translation[i] = at[i];
        for (int j = 0; j < 3; j++) {
            pose.rotation[3 * i + j] = r[4 * i + j];
            pose.translation[i] -= r[4 * i + j] * centre[j];
        }
    }
    return pose;
}

/// A body with the mass of a fragment, at a pose.
static inline dBodyID ode_add_body(dWorldID world, const fracas_fragment_info* info, double density,
                                   const fracas_pose* pose) {
    dBodyID body = dBodyCreate(world);
    const double *i = info->inertia, *r = pose->rotation, *c = info->centre;
    dMass mass;
    dMassSetParameters(&mass, density * info->volume, 0, 0, 0, density * i[0], density * i[1],
                       density * i[2], density * i[3], density * i[5], density * i[4]);
    dBodySetMass(body, &mass);
    const dMatrix3 rotation = {r[0], r[1], r[2], 0, r[3], r[4], r[5], 0, r[6], r[7], r[8], 0};
    dBodySetRotation(body, rotation);
    double at[3];
    for (int k = 0; k < 3; k++)
        at[k] = r[3 * k] * c[0] + r[3 * k + 1] * c[1] + r[3 * k + 2] * c[2] + pose->translation[k];
    dBodySetPosition(body, at[0], at[1], at[2]);
    return body;
}
