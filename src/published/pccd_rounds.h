/// @file pccd_rounds.h  The pairs of high-level nodes, divided into rounds: the pairs of one round
/// run at the same time.
#pragma once
#include "published/work_requests.h"

/// The pairs of four children form three sets of two disjoint pairs, and the pairs of children of
/// two nodes four sets of four.
enum { FRC_ROUNDS = 12 };
typedef frc_work_list frc_round;
typedef struct frc_rounds {
    frc_round round[FRC_ROUNDS];
    frc_work_list parts;  // scratch
} frc_rounds;

void frc_rounds_clear(frc_rounds* rounds);
void frc_rounds_release(fracas_context* context, frc_rounds* rounds);

/// Add a pair of children of `node`, divided once where it can be, so that no two pairs of a round
/// have a node in common. False: no memory.
bool frc_rounds_add(frc_rounds* rounds, frc_detect_worker* w, const frc_self_task* node,
                    const frc_work* pair);

/// Add a pair to the first round, whether disjoint from the others or not. False: no memory.
bool frc_rounds_add_any(frc_rounds* rounds, const frc_detect_worker* w, const frc_work* pair);
/// Divide the pairs of the first round until there are `wanted`, or none can be divided.
void frc_rounds_refine(frc_rounds* rounds, frc_detect_worker* w, size_t wanted);
