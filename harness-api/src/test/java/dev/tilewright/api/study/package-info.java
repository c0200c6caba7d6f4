/** Studies by themselves, without a service. */
@NullMarked
package dev.tilewright.api.study;

import org.jspecify.annotations.NullMarked;
