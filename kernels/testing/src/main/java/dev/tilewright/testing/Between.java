package dev.tilewright.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The range of a drawn number, both ends included. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface Between {

    /** The least value. */
    double min() default 0;

    /** The greatest value. */
    double max();
}
