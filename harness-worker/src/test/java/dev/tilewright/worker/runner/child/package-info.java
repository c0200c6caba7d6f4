@NullMarked
package dev.tilewright.worker.runner.child;

import org.jspecify.annotations.NullMarked;
