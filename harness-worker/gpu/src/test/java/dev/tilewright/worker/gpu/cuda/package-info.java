@NullMarked
package dev.tilewright.worker.gpu.cuda;

import org.jspecify.annotations.NullMarked;
