@NullMarked
package dev.tilewright.worker.check.run;

import org.jspecify.annotations.NullMarked;
