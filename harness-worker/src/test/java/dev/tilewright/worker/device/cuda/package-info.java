@NullMarked
package dev.tilewright.worker.device.cuda;

import org.jspecify.annotations.NullMarked;
