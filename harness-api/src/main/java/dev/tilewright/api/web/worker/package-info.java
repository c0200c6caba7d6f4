/**
 * The page of workers: who is there, with which devices, and at what they are. Comes in: registrations, leases, and
 * what was measured under them. Goes out: a page. Must not know how work is given out.
 */
@NullMarked
package dev.tilewright.api.web.worker;

import org.jspecify.annotations.NullMarked;
