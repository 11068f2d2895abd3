# One image for web, worker and beat; docker-compose.yml says which command it runs.
FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PATH=/opt/venv/bin:$PATH
WORKDIR /app

COPY requirements.txt .
RUN python -m venv /opt/venv && pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt

COPY . .
RUN python -m compileall -q catalog config quotes sizing manage.py \
 && python -m config.catalogues \
 && SECRET_KEY=only-for-this-step python manage.py collectstatic --noinput --ignore rest_framework --ignore redoc \
 && useradd --system --home-dir /app --no-create-home kvote

USER kvote
EXPOSE 8000
CMD ["gunicorn", "config.wsgi:application", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4", "--timeout", "90"]
