@NullMarked
package dev.tilewright.worker.cli.bundle;

import org.jspecify.annotations.NullMarked;
