package dev.tilewright.api.platform.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Adds the id of a request's subject to all log lines of the request. */
@Component
final class RequestLogIds implements HandlerInterceptor, WebMvcConfigurer {

    private static final String API = "/api/v1/";

    /** Names of ids, by the collections that they are of. */
    private static final Map<String, String> NAMES =
            Map.of("jobs", "job", "studies", "study", "trials", "trial", "leases", "lease", "gate-runs", "gateRun");

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).addPathPatterns(API + "**");
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        String name = name(request);
        if (name != null
                && request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables
                && variables.get("id") instanceof String id
                && isId(id)) {
            MDC.put(name, id);
        }
        return true;
    }

    private static @Nullable String name(HttpServletRequest request) {
        String path = request.getServletPath();
        int end = path.indexOf('/', API.length());
        return end < 0 ? null : NAMES.get(path.substring(API.length(), end));
    }

    private static boolean isId(String text) {
        try {
            return UUID.fromString(text).toString().equals(text);
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        NAMES.values().forEach(MDC::remove);
    }
}
