/**
 * Studies: one problem of a job on one testbed, from its search space to its best config. Comes in: problems and what
 * leases brought. Goes out: studies as resources, and the rows that leasing locks. Must not know workers or HTTP
 * leases.
 */
@NullMarked
package dev.tilewright.api.study;

import org.jspecify.annotations.NullMarked;
