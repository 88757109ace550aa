/// @file ode_world.c  What all scenes moved by ODE share.
#include "ode/ode_world.h"
#include <math.h>
#include <time.h>

double ode_clock_ms(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

ode_world ode_world_create(const ode_world_settings* settings) {
    dInitODE2(0);
    // The solver shuffles constraints.
    dRandSetSeed(0);
    const ode_world w = {dWorldCreate(), dJointGroupCreate(0)};
    dWorldSetGravity(w.world, 0, 0, -ODE_GRAVITY);
    dWorldSetERP(w.world, settings->erp);
    dWorldSetCFM(w.world, 1e-7);
    dWorldSetQuickStepNumIterations(w.world, settings->iterations);
    dWorldSetContactMaxCorrectingVel(w.world, 1);
    dWorldSetContactSurfaceLayer(w.world, settings->surface_layer);
    dWorldSetLinearDamping(w.world, settings->linear_damping);
    dWorldSetAngularDamping(w.world, 0.02);
    return w;
}

void ode_world_destroy(const ode_world* w) {
    dJointGroupDestroy(w->contacts);
    dWorldDestroy(w->world);
    dCloseODE();
}

void ode_world_step(const ode_world* w, double step) {
    dWorldQuickStep(w->world, step);
    dJointGroupEmpty(w->contacts);
}

void ode_set_velocity(dBodyID body, const double v[3], const double s[3]) {
    dBodySetLinearVel(body, v[0], v[1], v[2]);
    dBodySetAngularVel(body, s[0], s[1], s[2]);
}

double ode_get_speed(dBodyID body) {
    const dReal* v = dBodyGetLinearVel(body);
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

double ode_get_energy(dBodyID body) {
    const dReal* s = dBodyGetAngularVel(body);
    const double speed = ode_get_speed(body);
    dVector3 local;
    dMass mass;
    dBodyVectorFromWorld(body, s[0], s[1], s[2], local);
    dBodyGetMass(body, &mass);
    double energy = mass.mass * (ODE_GRAVITY * dBodyGetPosition(body)[2] + 0.5 * speed * speed);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) energy += 0.5 * local[i] * mass.I[4 * i + j] * local[j];
    return energy;
}
