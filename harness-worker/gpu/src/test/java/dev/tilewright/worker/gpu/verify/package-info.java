@NullMarked
package dev.tilewright.worker.gpu.verify;

import org.jspecify.annotations.NullMarked;
