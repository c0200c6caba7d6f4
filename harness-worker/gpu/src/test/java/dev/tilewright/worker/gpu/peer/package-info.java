@NullMarked
package dev.tilewright.worker.gpu.peer;

import org.jspecify.annotations.NullMarked;
