/// @file stages.h  Several loops one after the other as one: workers stay from stage to stage.
#pragma once
#include "base/context.h"

/// A stage is a number of parts, which any worker may do, each once. A loop of parallel.h costs as
/// much as a hundred vertices take to begin and to end; the end of a stage is one counter.
typedef struct frc_stage {
    /// Called once, by one worker alone, when all stages before are done: what has to be done
    /// between them. Says of how many parts this one is; 0: the next one begins. False: no more.
    bool (*before)(void* data, uint32_t* parts);
    void (*part)(uint32_t part, void* data);
} frc_stage;

enum { FRC_STAGES = 8 };  // at most

/// Go through `count` stages. Workers with even numbers take parts from the first on, the others
/// from the last on: what a worker wrote in one stage it mostly reads in the next. Which takes
/// which is left to chance: results must depend on part numbers only. False: a stage said so.
bool frc_stages_run(fracas_context* context, const frc_stage* stages, uint32_t count, void* data);
