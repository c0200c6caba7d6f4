/**
 * The SQL of the Grafana dashboards against the migrated schema. In: {@code dashboards/generated/*.json}. Knows nothing
 * of Grafana but the macros and variables that these files use.
 */
@NullMarked
package dev.tilewright.api.dashboards;

import org.jspecify.annotations.NullMarked;
