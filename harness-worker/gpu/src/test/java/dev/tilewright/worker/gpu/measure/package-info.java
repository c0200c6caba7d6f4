@NullMarked
package dev.tilewright.worker.gpu.measure;

import org.jspecify.annotations.NullMarked;
