"""The only settings file; everything that differs between machines comes from the environment.

Each variable is described in docs/settings.md; a test compares the two.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from config.csp import POLICY
from config.env import (
    broker_url,
    database_from_url,
    env_bool,
    env_int,
    env_list,
    env_networks,
    env_secret,
    env_str,
    kept_secret,
    mailer,
    secret_key,
)
from config.logs import logging_config
from config.sso.ways import oidc_provider, organisations_by_domain, saml_provider

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "0.1.0"

DEBUG = env_bool("DEBUG")
DATA_DIR = Path(env_str("KVOTE_DATA", str(BASE_DIR / ".kvote")))
DATABASE_URL = env_secret("DATABASE_URL", "")
REDIS_URL = env_secret("REDIS_URL", "")
SECRET_KEY = secret_key(
    env_secret("SECRET_KEY") or kept_secret(DATA_DIR / "secret_key"), needed=bool(DATABASE_URL) and not DEBUG
)

# The address and what stands in front of it
HTTPS = env_bool("HTTPS")
PROXY_COUNT = env_int("PROXY_COUNT", 0, high=10)
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXY_COUNT else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CSP = POLICY
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_ENGINE = "django.contrib.sessions.backends.db"
LANGUAGE_COOKIE_NAME = "kvote_language"
THEME_COOKIE_NAME = "kvote_theme"
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
UPLOAD_MAX_MB = env_int("UPLOAD_MAX_MB", 20, low=1, high=1000)
DATA_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_MAX_MB * 10**6

INSTALLED_APPS = [
    "config.accounts",
    "config.webhooks",
    "config.oauth",
    "catalog",
    "sizing",
    "quotes",
    "config",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "django_filters",
    "django_htmx",
    "oauth2_provider",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    *(["allauth.socialaccount.providers.saml"] if find_spec("onelogin") else []),
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "config.middleware.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "config.middleware.ProblemMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.middleware.UploadLimitMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "config.middleware.ErrorPageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.page",
            ],
        },
    },
]

# Data
DATABASES = {"default": database_from_url(DATABASE_URL)} if DATABASE_URL else {}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "config.cache.SharedCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "kvote",
        }
    }

# Jobs: a task may run twice, so it is acknowledged late; the visibility timeout lies above the hard limit.
CELERY_BROKER_URL = broker_url(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 900}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SOFT_TIME_LIMIT = 600
CELERY_TASK_TIME_LIMIT = 660
CELERY_TASK_DEFAULT_QUEUE = "sizing"
CELERY_TASK_ROUTES = {
    "sizing.tasks.sweep_runs": {"queue": "preview"},
    "sizing.tasks.preview_*": {"queue": "preview"},
    "sizing.tasks.*": {"queue": "sizing"},
    "catalog.tasks.sweep_imports": {"queue": "preview"},
    "catalog.tasks.*": {"queue": "imports"},
    "quotes.tasks.*": {"queue": "documents"},
    "quotes.document_tasks.*": {"queue": "documents"},
    "config.webhooks.tasks.*": {"queue": "webhooks"},
}
WORKER_QUEUES = "preview,sizing,imports,documents,webhooks"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep-runs": {"task": "sizing.tasks.sweep_runs", "schedule": 5.0, "options": {"expires": 5}},
    "expire-quotes": {"task": "quotes.tasks.expire_quotes", "schedule": 24 * 3600.0},
    "rescreen-quotes": {"task": "quotes.tasks.rescreen_quotes", "schedule": 3600.0, "options": {"expires": 3600}},
    "sweep-imports": {"task": "catalog.tasks.sweep_imports", "schedule": 10.0, "options": {"expires": 10}},
    "sweep-webhooks": {"task": "config.webhooks.tasks.sweep_webhooks", "schedule": 10.0, "options": {"expires": 10}},
    "delete-old-webhook-events": {"task": "config.webhooks.tasks.delete_old_events", "schedule": 24 * 3600.0},
    "delete-old-visitor-runs": {"task": "sizing.tasks.delete_old_visitor_runs", "schedule": 24 * 3600.0},
}

# People
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "config.accounts.backends.EmailBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
LOGIN_URL = "accounts:sign_in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
AXES_HANDLER = "axes.handlers.cache.AxesCacheHandler"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "config.accounts.addresses.client_address"
AXES_LOCKOUT_CALLABLE = "config.errors.locked_out"
AXES_RESET_ON_SUCCESS = True

# Sign-in by a provider: known and invited people, and those of the domains named in SSO_ORGANISATIONS
_oidc, _oidc_ways = oidc_provider(
    issuer=env_str("OIDC_ISSUER"),
    client_id=env_str("OIDC_CLIENT_ID"),
    secret=env_secret("OIDC_CLIENT_SECRET", ""),
    name=env_str("OIDC_NAME", "Single sign-on"),
    trusts_email=env_bool("OIDC_TRUSTS_EMAIL"),
)
_saml, _saml_ways = saml_provider(
    metadata_url=env_str("SAML_METADATA_URL"),
    entity_id=env_str("SAML_ENTITY_ID"),
    name=env_str("SAML_NAME", "Single sign-on (SAML)"),
)
SOCIALACCOUNT_PROVIDERS = _oidc | _saml
SIGN_IN_WAYS = [*_oidc_ways, *_saml_ways]
SSO_ORGANISATIONS = organisations_by_domain(env_list("SSO_ORGANISATIONS"))
SOCIALACCOUNT_ADAPTER = "config.sso.adapter.SocialAdapter"
ACCOUNT_ADAPTER = "config.sso.adapter.AccountAdapter"
SOCIALACCOUNT_LOGIN_ON_GET = True  # a form that leads to another site is what the content policy forbids
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_EMAIL_VERIFICATION = ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]

# API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "config.accounts.authentication.TokenAuthentication",
        "config.oauth.authentication.OAuthAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.rest.parsers.JSONParser"],
    "DEFAULT_FILTER_BACKENDS": ["config.rest.filters.Backend"],
    "DEFAULT_PAGINATION_CLASS": "config.rest.pages.Pages",
    "DEFAULT_SCHEMA_CLASS": "config.rest.schema.ApiSchema",
    "DEFAULT_THROTTLE_CLASSES": ["config.rest.limits.SharedLimit"],
    "DEFAULT_THROTTLE_RATES": {
        "anon": f"{env_int('API_RATE_ANONYMOUS', 120, low=1)}/min",
        "user": f"{env_int('API_RATE_SIGNED_IN', 1200, low=1)}/min",
    },
    "EXCEPTION_HANDLER": "config.errors.problem_handler",
    "URL_FORMAT_OVERRIDE": None,
    "NUM_PROXIES": PROXY_COUNT,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
# OAuth 2 for other programs: client credentials, and code with PKCE; tokens are kept as hashes
OAUTH2_PROVIDER_APPLICATION_MODEL = "oauth2_provider.Application"
OAUTH2_PROVIDER = {
    "SCOPES": {"read": _("read what you may see"), "write": _("make and change what your role allows")},
    "DEFAULT_SCOPES": ["read"],
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 30 * 24 * 3600,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "PKCE_REQUIRED": True,
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "client_credentials", "refresh_token"],
    **{
        f"COMPLIANT_BCP_RFC9700_{gate}": True
        for gate in (
            "IMPLICIT_GRANT",
            "PASSWORD_GRANT",
            "PKCE_METHOD",
            "ACCESS_TOKEN_TRANSPORT",
            "AUTHZ_RESPONSE_ISS",
            "TOKEN_STORAGE",
        )
    },
}

# Messages to other programs: public addresses only, and those networks that the operator names
WEBHOOK_ALLOWED_NETWORKS = env_networks("WEBHOOK_ALLOWED_NETWORKS")

SPECTACULAR_SETTINGS = {
    "TITLE": "Kvote",
    "DESCRIPTION": "From an AI-inference workload to a costed, lead-time-honest bill of materials and a quote.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "LICENSE": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    "SERVERS": [{"url": "/", "description": "The Kvote that serves this schema"}],
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "WorkloadKindEnum": "sizing.choices.Kind",
        "RunStateEnum": "sizing.choices.RunState",
        "PriceKindEnum": "catalog.choices.PriceKind",
        "LineKindEnum": "quotes.choices.LineKind",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.rest.schema.complete",
    ],
    "WEBHOOKS": [f"config.webhooks.api.schema.{name}" for name in ("RUNS", "QUOTES", "IMPORTS", "SCREENINGS", "TESTS")],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# E-mail: without a server the text goes to the log of the worker, so that nothing leaves a trial installation
MAILERS = {
    "default": mailer(
        host=env_str("EMAIL_HOST"),
        port=env_int("EMAIL_PORT", 587, low=1, high=65535),
        username=env_str("EMAIL_HOST_USER"),
        password=env_secret("EMAIL_HOST_PASSWORD", ""),
        starttls=env_bool("EMAIL_STARTTLS", True),
    )
}
DEFAULT_FROM_EMAIL = env_str("EMAIL_FROM", "kvote@localhost")

# Language and time
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# Static files: hashed names and Brotli, except while developing and testing
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["map", "png", "jpg", "jpeg", "webp", "gz", "br", "zip", "woff", "woff2"]
FILES_DIR = env_str("FILES_DIR")  # empty: uploads and documents are kept in Postgres
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": FILES_DIR or DATA_DIR / "files"},
    },
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage",
    },
}

LOGGING = logging_config(
    as_json=env_str("LOG_FORMAT", "plain" if DEBUG or sys.stderr.isatty() else "json") == "json",
    level=env_str("LOG_LEVEL", "INFO").upper(),
)
