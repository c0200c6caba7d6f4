/** Tests of the service and the programs of the command line together, as the build has packaged them. */
@NullMarked
package dev.tilewright.system;

import org.jspecify.annotations.NullMarked;
