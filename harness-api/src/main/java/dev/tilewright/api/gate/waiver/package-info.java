/**
 * Waivers: failures that somebody has accepted. Comes in: a case, the hash of the module that fails, a reason and an
 * end. Goes out: what covers a case now. Must not know how a run is decided.
 */
@NullMarked
package dev.tilewright.api.gate.waiver;

import org.jspecify.annotations.NullMarked;
