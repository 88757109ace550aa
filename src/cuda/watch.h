/// @file watch.h  Whether the order of features has decayed.
#pragma once
#include "cuda/mirror.h"

/// After a query: compare the boxes of the clusters of each body, now and then, with what they were
/// when they were measured first. Bodies that have decayed are ordered again by the next update. A
/// failure costs time only.
void frc_watch_clusters(frc_mirror* mirror, const fracas_scene* scene);
