/** What is kept of trials, and how their screens count. */
@NullMarked
package dev.tilewright.api.trial;

import org.jspecify.annotations.NullMarked;
