/**
 * Jobs as users see them: submission, progress, cancelling, the result document. Comes in: requests, checked in full
 * before anything is stored. Goes out: resources. Must not know workers' leases beyond cancelling.
 */
@NullMarked
package dev.tilewright.api.job;

import org.jspecify.annotations.NullMarked;
