package dev.tilewright.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The static method of the test class that draws a value: it takes a {@link Draw} and returns the value. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface From {

    /** The name of the method. */
    String value();
}
