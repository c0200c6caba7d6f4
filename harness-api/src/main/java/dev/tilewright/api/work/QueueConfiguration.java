package dev.tilewright.api.work;

import dev.tilewright.api.platform.ServiceSettings;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The rules of the queue as a service has them. */
@Configuration(proxyBeanMethods = false)
class QueueConfiguration {

    @Bean
    QueueRules queueRules(ServiceSettings settings) {
        return new QueueRules(settings.leaseTtl());
    }
}
