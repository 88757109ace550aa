/// @file ode_world.h  What all scenes moved by ODE share: the world, velocities, energy, a clock.
#pragma once
#include <ode/ode.h>

#define ODE_GRAVITY 9.81  // along -z

/// A world and the joints of the contacts of one step.
typedef struct ode_world {
    dWorldID world;
    dJointGroupID contacts;
} ode_world;

typedef struct ode_world_settings {
    double erp, surface_layer, linear_damping;
    int iterations;  ///< of the solver
} ode_world_settings;

/// Two runs of a scene are the same on one machine.
ode_world ode_world_create(const ode_world_settings* settings);
void ode_world_destroy(const ode_world* world);

/// Solve the joints of the contacts, move all bodies by `step` seconds, and remove the joints.
void ode_world_step(const ode_world* world, double step);

void ode_set_velocity(dBodyID body, const double velocity[3], const double spin[3]);
double ode_get_speed(dBodyID body);
double ode_get_energy(dBodyID body);  ///< kinetic, and potential above z = 0

double ode_clock_ms(void);  ///< wall clock
