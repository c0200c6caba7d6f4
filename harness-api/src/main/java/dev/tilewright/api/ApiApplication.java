package dev.tilewright.api;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Where Spring begins to look. */
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
public class ApiApplication {}
