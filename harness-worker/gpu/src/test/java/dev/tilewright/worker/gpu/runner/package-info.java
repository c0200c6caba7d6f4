@NullMarked
package dev.tilewright.worker.gpu.runner;

import org.jspecify.annotations.NullMarked;
