@NullMarked
package dev.tilewright.worker.gpu.stats;

import org.jspecify.annotations.NullMarked;
