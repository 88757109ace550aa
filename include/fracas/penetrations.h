/// @file penetrations.h  A list of the penetrations that a query of volumes finds.
#pragma once
#include "fracas/tets.h"

/// A growing list of penetrations that the caller keeps and reuses. It never drops one.
typedef struct fracas_penetrations fracas_penetrations;

/// On any error `*out` is NULL.
FRACAS_API fracas_status fracas_penetrations_create(fracas_context* context,
                                                    fracas_penetrations** out);
/// NULL is allowed.
FRACAS_API void fracas_penetrations_destroy(fracas_penetrations* penetrations);
/// Clear the list and return a sink that fills it: one query, which fails without the memory for
/// all penetrations. All zero for a NULL list.
FRACAS_API fracas_tets_sink fracas_penetrations_get_sink(fracas_penetrations* penetrations);
/// The penetrations of the last query, none when it failed; valid until the next query or
/// fracas_penetrations_get_sink. `count` may be NULL. NULL and 0 for a NULL list.
FRACAS_API const fracas_penetration*
fracas_penetrations_get_data(const fracas_penetrations* penetrations, size_t* count);
/// Statistics of the last query. NULL for a NULL list.
FRACAS_API const fracas_tets_statistics*
fracas_penetrations_get_statistics(const fracas_penetrations* penetrations);
