@NullMarked
package dev.tilewright.worker.stats.race;

import org.jspecify.annotations.NullMarked;
