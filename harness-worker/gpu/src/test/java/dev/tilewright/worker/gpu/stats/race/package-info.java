@NullMarked
package dev.tilewright.worker.gpu.stats.race;

import org.jspecify.annotations.NullMarked;
