/// @file initial_tasks.h  The tasks that a search of trees begins with.
#pragma once
#include "detect/search.h"

void frc_divide_trees(frc_search_run* run);
