/// @file oracle_events.h  First contact from a predicate and the polynomials at whose roots it may
/// change.
#pragma once
#include "oracle_ccd.h"
#include "oracle_sturm.h"

typedef struct oracle_events {
    const void* model;
    bool (*touching)(const void* model, const sturm_root* at);
    const sturm_poly* coplanar;   ///< vanishes on contact
    const sturm_poly* event[32];  ///< their signs decide the predicate; used where coplanar is 0
    int count;
} oracle_events;

/// See oracle_ccd.
bool oracle_decide(const oracle_events* events, bool after_start, oracle_claim* claims, int count);
